print "hello"  # expect error: print-statement
