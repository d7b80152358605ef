"""Masks of kinds, a bit each: what one instruction of the processor does that Python has no word for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types as nt
from numba.core.cgutils import pointer_add
from numba.extending import intrinsic

from hongzhong.kernels.jit import COMPILED
from hongzhong.tiles import N_KINDS


def lowest(mask: Any) -> int:
    """Number of the lowest bit set; the mask is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


def size(mask: Any) -> int:
    """How many bits are set."""
    return int(mask).bit_count()


def over(counts: Any, number: Any) -> int:
    """Mask of the kinds of which there are more than ``number`` (34 counts, int8)."""
    return sum(1 << kind for kind in range(N_KINDS) if counts[kind] > number)


def under(counts: Any, limits: Any) -> int:
    """Mask of the kinds of which there are fewer than ``limits`` (34 counts each, int8)."""
    return sum(1 << kind for kind in range(N_KINDS) if counts[kind] < limits[kind])


def eight(rows: Any, row: int, first: int) -> int:
    """The eight counts of a row of uint8 from ``first`` on, a byte each, the first lowest."""
    return sum(int(rows[row, first + place]) << (8 * place) for place in range(8))


def _lowest(typing: Any, mask: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return nt.int64(nt.int64), lower


def _size(typing: Any, mask: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return nt.int64(nt.int64), lower


def _under(typing: Any, counts: Any, limits: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args, arguments, strict=True)
        ]
        return _compare(builder, "<", rows[0], lambda first, vector: _part(builder, rows[1], first, vector))

    return nt.int64(counts, limits), lower


def _over(typing: Any, counts: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        limit = builder.trunc(arguments[1], ir.IntType(8))

        def spread(first: int, vector: Any) -> Any:
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), limit, ir.Constant(ir.IntType(32), 0))
            places = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
            return builder.shuffle_vector(one, one, places)

        return _compare(builder, ">", row, spread)

    return nt.int64(counts, nt.int64), lower


def _eight(typing: Any, rows: Any, row: Any, first: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(array.strides, 0)
        place = builder.add(builder.mul(arguments[1], stride), arguments[2])
        start = pointer_add(builder, array.data, place)
        return builder.load(builder.bitcast(start, ir.IntType(64).as_pointer()), align=1)

    return nt.int64(rows, nt.int64, nt.int64), lower


def _part(builder: Any, row: Any, first: int, vector: Any) -> Any:
    """Some of the counts of a row."""
    return builder.load(builder.bitcast(pointer_add(builder, row, first), vector.as_pointer()), align=1)


def _compare(builder: Any, how: str, row: Any, other: Any) -> Any:
    """Mask of the kinds whose counts compare so, 32 at once and then the last two."""
    mask = ir.Constant(ir.IntType(64), 0)
    for first in (0, 32):
        length = min(32, N_KINDS - first)
        vector = ir.VectorType(ir.IntType(8), length)
        found = builder.icmp_signed(how, _part(builder, row, first, vector), other(first, vector))
        part = builder.zext(builder.bitcast(found, ir.IntType(length)), ir.IntType(64))
        mask = builder.or_(mask, builder.shl(part, ir.Constant(ir.IntType(64), first)))
    return mask


if COMPILED:
    lowest, size, over, under = intrinsic(_lowest), intrinsic(_size), intrinsic(_over), intrinsic(_under)
    eight = intrinsic(_eight)
