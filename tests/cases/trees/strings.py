'plain', "it's", 'say "x"', 'both \' and "', '\t\r\n\\\a\b\f\v\x00\x7f\xad\u20ac\U0001f600\ud800'
r'\n', R"\"", u'kind', U"none", b'bytes \x80\377\'', rb'\x', Br"\n", b'"'
'''triple
  lines''' """more
""", '\101\7\08\
joined', 'bad \q escape', '\N{BULLET}\N{latin small letter a with acute}\N{LF}\N{HANGUL SYLLABLE GAG}'
'\N{CJK UNIFIED IDEOGRAPH-4E00}', 'é€😀\u200b', ('a'
 'b' "c"), u'a' 'b', b'a' b'b'
