# -*- coding: koi8-r -*-  # expect error: encoding
