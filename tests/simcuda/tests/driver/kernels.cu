KERNEL(scale) {
    INDEX(i);
    out(i) = x(i) * by;
}

KERNEL_IN_PLACE(scale) {
    INDEX(i);
    x(i) *= by;
}

KERNEL(add) {
    INDEX(i);
    out(i) = x(i) + y(i);
}

KERNEL(bump) {
    INDEX(i);
    sum(i) += x(i);
}
