del __debug__  # expect error: delete-target
