# Values of the module re as CPython 3.11 has them, one in the text of each kernel.
import re

import warp as wp
V0 = re.match(r"(\d+)\.(\d+)", "1.19.0").groups()
V1 = re.findall(r"[a-z]+", "ab cd ef")
V2 = re.findall(r"(a)(b)?", "ab a")
V3 = re.findall(r"|a", "a")
V4 = re.sub(r"\W+", "_", "a-b c")
V5 = re.sub("x*", "-", "abxd")
V6 = re.sub(r"(?P<a>\w)(\d)", r"\2\g<a>\g<1>", "a1 b2")
V7 = re.sub("a", lambda m: m.group().upper(), "banana", count=2)
V8 = re.subn("a", "b", "aaa")
V9 = re.split(r",\s*", "1, 2,3")
V10 = re.split(r"(,)\s*", "1, 2,3", 1)
V11 = re.split(r"x*", "axbc")
V12 = re.compile(r"v(?P<n>\d+)").search("xx v12").groupdict()["n"]
V13 = re.fullmatch(r"w(\d+)", "w7")[1]
V14 = re.fullmatch(r"w(\d+)", "w7a") is None
V15 = re.search(r"^b", "a\nb", re.M).span()
V16 = bool(re.search(r"^b", "a\nb"))
V17 = re.search("B+?", "abbb", re.IGNORECASE).group(0)
V18 = re.match(r"a{2,3}b{,2}c{1,}", "aaabcc").end()
V19 = re.match(r"(a|ab)(c|bcd)(d*)", "abcd").groups()
V20 = re.match(r"(?:(a)|b)*", "ab").groups()
V21 = re.match(r"(a*)*", "aab").span()
V22 = re.match(r"(?i)HeL+o", "hello").group()
V23 = re.search(r"(?<=-)\w+", "spam-egg").group()
V24 = re.search(r"\bfoo\b(?!bar)", "xfoo foo").start()
V25 = re.match(r"(?P<q>['\"]).*?(?P=q)", "'ab' 'c'").group()
V26 = re.match(r"(\w)\1", "aab").group()
V27 = re.escape("a.b-c")
V28 = re.match(r"[^\]a-c\d]+", "xyz]").group()
V29 = re.match(r"[]x]+", "]x]y").group()
V30 = re.match(r"a.c", "a\nc")
V31 = re.match(r"a.c$", "abc\n").group()
V32 = re.match(r"\s*#\s*(\w+)", "  # define").group(1)
V33 = [m.start() for m in re.finditer("a", "banana")]
V34 = re.match("x", "y")
V35 = re.match(r"a{,b", "a{,b").group()
V36 = re.match(r"(a)?b", "b").group(1)
V37 = re.match(r"(a)?b", "b").groups("z")
V38 = re.sub(r"(?<!^)(?=[A-Z])", "_", "MyKernelName").lower()
V39 = re.match(r"^vec(\d)([fdhiuls])?$", "vec3f").group(1, 2)
V40 = re.compile("a+").sub("b", "caat", 1)
V41 = re.sub(r"\s+", " ", "a\n\t b").strip()
V42 = re.match(r"((a?))+", "ab").groups()
V43 = re.search(r"(?=(b)|(a))\w(?!(c))", "ab").groups()
V44 = re.match(r"(?:(a)|b|c*)*d", "abd").groups()
V45 = re.escape("a\0.b")
V46 = re.match(r"\x41[\x41-\x43]+\0", "ABC\0").span()
V47 = re.match("a\0b", "a\0b").group()
V48 = re.sub("a", "b", "aaa", count=-1)
V49 = re.subn("a", "b", "aaa", count=0)
V50 = re.split(",", "1,2,3", maxsplit=-1)
V51 = re.compile("a").split("bab", maxsplit=1)
V52 = re.compile("a").sub(string="aa", repl="b", count=True)
V53 = re.match(string="ab", pattern="A", flags=re.I).span()


@wp.func_native(f"/* {V0!r} */ return x;")
def f0(x: float) -> float: ...


@wp.kernel
def k0(a: wp.array(dtype=float)):
    a[0] = f0(a[1])


@wp.func_native(f"/* {V1!r} */ return x;")
def f1(x: float) -> float: ...


@wp.kernel
def k1(a: wp.array(dtype=float)):
    a[0] = f1(a[1])


@wp.func_native(f"/* {V2!r} */ return x;")
def f2(x: float) -> float: ...


@wp.kernel
def k2(a: wp.array(dtype=float)):
    a[0] = f2(a[1])


@wp.func_native(f"/* {V3!r} */ return x;")
def f3(x: float) -> float: ...


@wp.kernel
def k3(a: wp.array(dtype=float)):
    a[0] = f3(a[1])


@wp.func_native(f"/* {V4!r} */ return x;")
def f4(x: float) -> float: ...


@wp.kernel
def k4(a: wp.array(dtype=float)):
    a[0] = f4(a[1])


@wp.func_native(f"/* {V5!r} */ return x;")
def f5(x: float) -> float: ...


@wp.kernel
def k5(a: wp.array(dtype=float)):
    a[0] = f5(a[1])


@wp.func_native(f"/* {V6!r} */ return x;")
def f6(x: float) -> float: ...


@wp.kernel
def k6(a: wp.array(dtype=float)):
    a[0] = f6(a[1])


@wp.func_native(f"/* {V7!r} */ return x;")
def f7(x: float) -> float: ...


@wp.kernel
def k7(a: wp.array(dtype=float)):
    a[0] = f7(a[1])


@wp.func_native(f"/* {V8!r} */ return x;")
def f8(x: float) -> float: ...


@wp.kernel
def k8(a: wp.array(dtype=float)):
    a[0] = f8(a[1])


@wp.func_native(f"/* {V9!r} */ return x;")
def f9(x: float) -> float: ...


@wp.kernel
def k9(a: wp.array(dtype=float)):
    a[0] = f9(a[1])


@wp.func_native(f"/* {V10!r} */ return x;")
def f10(x: float) -> float: ...


@wp.kernel
def k10(a: wp.array(dtype=float)):
    a[0] = f10(a[1])


@wp.func_native(f"/* {V11!r} */ return x;")
def f11(x: float) -> float: ...


@wp.kernel
def k11(a: wp.array(dtype=float)):
    a[0] = f11(a[1])


@wp.func_native(f"/* {V12!r} */ return x;")
def f12(x: float) -> float: ...


@wp.kernel
def k12(a: wp.array(dtype=float)):
    a[0] = f12(a[1])


@wp.func_native(f"/* {V13!r} */ return x;")
def f13(x: float) -> float: ...


@wp.kernel
def k13(a: wp.array(dtype=float)):
    a[0] = f13(a[1])


@wp.func_native(f"/* {V14!r} */ return x;")
def f14(x: float) -> float: ...


@wp.kernel
def k14(a: wp.array(dtype=float)):
    a[0] = f14(a[1])


@wp.func_native(f"/* {V15!r} */ return x;")
def f15(x: float) -> float: ...


@wp.kernel
def k15(a: wp.array(dtype=float)):
    a[0] = f15(a[1])


@wp.func_native(f"/* {V16!r} */ return x;")
def f16(x: float) -> float: ...


@wp.kernel
def k16(a: wp.array(dtype=float)):
    a[0] = f16(a[1])


@wp.func_native(f"/* {V17!r} */ return x;")
def f17(x: float) -> float: ...


@wp.kernel
def k17(a: wp.array(dtype=float)):
    a[0] = f17(a[1])


@wp.func_native(f"/* {V18!r} */ return x;")
def f18(x: float) -> float: ...


@wp.kernel
def k18(a: wp.array(dtype=float)):
    a[0] = f18(a[1])


@wp.func_native(f"/* {V19!r} */ return x;")
def f19(x: float) -> float: ...


@wp.kernel
def k19(a: wp.array(dtype=float)):
    a[0] = f19(a[1])


@wp.func_native(f"/* {V20!r} */ return x;")
def f20(x: float) -> float: ...


@wp.kernel
def k20(a: wp.array(dtype=float)):
    a[0] = f20(a[1])


@wp.func_native(f"/* {V21!r} */ return x;")
def f21(x: float) -> float: ...


@wp.kernel
def k21(a: wp.array(dtype=float)):
    a[0] = f21(a[1])


@wp.func_native(f"/* {V22!r} */ return x;")
def f22(x: float) -> float: ...


@wp.kernel
def k22(a: wp.array(dtype=float)):
    a[0] = f22(a[1])


@wp.func_native(f"/* {V23!r} */ return x;")
def f23(x: float) -> float: ...


@wp.kernel
def k23(a: wp.array(dtype=float)):
    a[0] = f23(a[1])


@wp.func_native(f"/* {V24!r} */ return x;")
def f24(x: float) -> float: ...


@wp.kernel
def k24(a: wp.array(dtype=float)):
    a[0] = f24(a[1])


@wp.func_native(f"/* {V25!r} */ return x;")
def f25(x: float) -> float: ...


@wp.kernel
def k25(a: wp.array(dtype=float)):
    a[0] = f25(a[1])


@wp.func_native(f"/* {V26!r} */ return x;")
def f26(x: float) -> float: ...


@wp.kernel
def k26(a: wp.array(dtype=float)):
    a[0] = f26(a[1])


@wp.func_native(f"/* {V27!r} */ return x;")
def f27(x: float) -> float: ...


@wp.kernel
def k27(a: wp.array(dtype=float)):
    a[0] = f27(a[1])


@wp.func_native(f"/* {V28!r} */ return x;")
def f28(x: float) -> float: ...


@wp.kernel
def k28(a: wp.array(dtype=float)):
    a[0] = f28(a[1])


@wp.func_native(f"/* {V29!r} */ return x;")
def f29(x: float) -> float: ...


@wp.kernel
def k29(a: wp.array(dtype=float)):
    a[0] = f29(a[1])


@wp.func_native(f"/* {V30!r} */ return x;")
def f30(x: float) -> float: ...


@wp.kernel
def k30(a: wp.array(dtype=float)):
    a[0] = f30(a[1])


@wp.func_native(f"/* {V31!r} */ return x;")
def f31(x: float) -> float: ...


@wp.kernel
def k31(a: wp.array(dtype=float)):
    a[0] = f31(a[1])


@wp.func_native(f"/* {V32!r} */ return x;")
def f32(x: float) -> float: ...


@wp.kernel
def k32(a: wp.array(dtype=float)):
    a[0] = f32(a[1])


@wp.func_native(f"/* {V33!r} */ return x;")
def f33(x: float) -> float: ...


@wp.kernel
def k33(a: wp.array(dtype=float)):
    a[0] = f33(a[1])


@wp.func_native(f"/* {V34!r} */ return x;")
def f34(x: float) -> float: ...


@wp.kernel
def k34(a: wp.array(dtype=float)):
    a[0] = f34(a[1])


@wp.func_native(f"/* {V35!r} */ return x;")
def f35(x: float) -> float: ...


@wp.kernel
def k35(a: wp.array(dtype=float)):
    a[0] = f35(a[1])


@wp.func_native(f"/* {V36!r} */ return x;")
def f36(x: float) -> float: ...


@wp.kernel
def k36(a: wp.array(dtype=float)):
    a[0] = f36(a[1])


@wp.func_native(f"/* {V37!r} */ return x;")
def f37(x: float) -> float: ...


@wp.kernel
def k37(a: wp.array(dtype=float)):
    a[0] = f37(a[1])


@wp.func_native(f"/* {V38!r} */ return x;")
def f38(x: float) -> float: ...


@wp.kernel
def k38(a: wp.array(dtype=float)):
    a[0] = f38(a[1])


@wp.func_native(f"/* {V39!r} */ return x;")
def f39(x: float) -> float: ...


@wp.kernel
def k39(a: wp.array(dtype=float)):
    a[0] = f39(a[1])


@wp.func_native(f"/* {V40!r} */ return x;")
def f40(x: float) -> float: ...


@wp.kernel
def k40(a: wp.array(dtype=float)):
    a[0] = f40(a[1])


@wp.func_native(f"/* {V41!r} */ return x;")
def f41(x: float) -> float: ...


@wp.kernel
def k41(a: wp.array(dtype=float)):
    a[0] = f41(a[1])


@wp.func_native(f"/* {V42!r} */ return x;")
def f42(x: float) -> float: ...


@wp.kernel
def k42(a: wp.array(dtype=float)):
    a[0] = f42(a[1])


@wp.func_native(f"/* {V43!r} */ return x;")
def f43(x: float) -> float: ...


@wp.kernel
def k43(a: wp.array(dtype=float)):
    a[0] = f43(a[1])


@wp.func_native(f"/* {V44!r} */ return x;")
def f44(x: float) -> float: ...


@wp.kernel
def k44(a: wp.array(dtype=float)):
    a[0] = f44(a[1])


@wp.func_native(f"/* {V45!r} */ return x;")
def f45(x: float) -> float: ...


@wp.kernel
def k45(a: wp.array(dtype=float)):
    a[0] = f45(a[1])


@wp.func_native(f"/* {V46!r} */ return x;")
def f46(x: float) -> float: ...


@wp.kernel
def k46(a: wp.array(dtype=float)):
    a[0] = f46(a[1])


@wp.func_native(f"/* {V47!r} */ return x;")
def f47(x: float) -> float: ...


@wp.kernel
def k47(a: wp.array(dtype=float)):
    a[0] = f47(a[1])


@wp.func_native(f"/* {V48!r} */ return x;")
def f48(x: float) -> float: ...


@wp.kernel
def k48(a: wp.array(dtype=float)):
    a[0] = f48(a[1])


@wp.func_native(f"/* {V49!r} */ return x;")
def f49(x: float) -> float: ...


@wp.kernel
def k49(a: wp.array(dtype=float)):
    a[0] = f49(a[1])


@wp.func_native(f"/* {V50!r} */ return x;")
def f50(x: float) -> float: ...


@wp.kernel
def k50(a: wp.array(dtype=float)):
    a[0] = f50(a[1])


@wp.func_native(f"/* {V51!r} */ return x;")
def f51(x: float) -> float: ...


@wp.kernel
def k51(a: wp.array(dtype=float)):
    a[0] = f51(a[1])


@wp.func_native(f"/* {V52!r} */ return x;")
def f52(x: float) -> float: ...


@wp.kernel
def k52(a: wp.array(dtype=float)):
    a[0] = f52(a[1])


@wp.func_native(f"/* {V53!r} */ return x;")
def f53(x: float) -> float: ...


@wp.kernel
def k53(a: wp.array(dtype=float)):
    a[0] = f53(a[1])
