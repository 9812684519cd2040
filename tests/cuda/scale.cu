#include "scale.cuh"

KERNEL(scale) {
    INDEX(i);
    out(i) = scaled(x(i), by);
}

KERNEL(scale_in_place) {
    INDEX(i);
    x(i) = scaled(x(i), by);
}

KERNEL(twice) {
    INDEX(i);
    x(i) = scaled(x(i), 2.0f);
}
