# a mark and odd line ends
x = """a
b"""

  	# commentif x:
	y = 1 ; z = 2 ;
        
	w = 3