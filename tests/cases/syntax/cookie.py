# -*- coding: latin-1 -*-  # expect error: encoding
