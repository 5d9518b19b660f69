from .consts import *
from . import helpers
VERSION = (1, 2)
