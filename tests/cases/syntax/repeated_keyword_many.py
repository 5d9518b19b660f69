f(a=1, b=2, c=3, d=4, e=5, g=6, h=7, i=8, j=9, k=1, l=2, m=3, n=4, o=5, p=6, q=7, a=8)  # expect error: repeated-keyword
