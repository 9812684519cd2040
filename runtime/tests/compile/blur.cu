KERNEL(blur) {
    INDEX(y, x);
    u64 left = x > 0 ? x - 1 : 0;
    out(y, x) = (src(y, left) + src(y, x)) * gain;
}
