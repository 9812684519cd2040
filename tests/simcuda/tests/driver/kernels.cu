KERNEL(scale) {
    INDEX(i);
    out(i) = x(i) * by;
}

KERNEL(scale_in_place) {
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
