while x:
 while x:
  while x:
   while x:
    while x:
     while x:
      while x:
       while x:
        while x:
         while x:
          while x:
           while x:
            while x:
             while x:
              while x:
               while x:
                while x:
                 while x:
                  while x:
                   while x:
                    while x:  # expect error: nested-too-deeply
                     pass
