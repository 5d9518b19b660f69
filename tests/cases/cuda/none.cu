// nothing
void k() {}
