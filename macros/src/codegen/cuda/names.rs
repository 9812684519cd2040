//! Names of a kernel's parameters and dims in CUDA C++.

/// Words that C++ keeps for itself, variables that CUDA declares, and what the prelude declares.
const TAKEN: &str = "\
    alignas alignof and and_eq asm auto bf16 bitand bitor blockDim blockIdx bool break case \
    catch char char16_t char32_t char8_t class co_await co_return co_yield compl concept const \
    const_cast consteval constexpr constinit continue decltype default delete do double \
    dynamic_cast else enum explicit export extern f16 f32 f64 false float for friend goto \
    gpu_graph gridDim i16 i32 i64 i8 if inline int long mutable namespace new noexcept not \
    not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires \
    return short signed sizeof static static_assert static_cast struct switch template this \
    thread_local threadIdx throw true try typedef typeid typename u16 u32 u64 u8 union unsigned \
    using virtual void volatile warpSize wchar_t while xor xor_eq";

/// Gives each name in turn one that C++ takes and no other has: with `_` behind it where it has to.
#[derive(Default)]
pub struct Names {
    given: Vec<String>,
}

impl Names {
    /// What `name` is called.
    pub fn give(&mut self, name: &str) -> String {
        let mut name = ascii(name);
        while TAKEN.split(' ').any(|word| word == name) || self.given.contains(&name) {
            name.push('_');
        }
        self.given.push(name.clone());
        name
    }
}

/// The name in letters that C++ takes.
pub fn ascii(name: &str) -> String {
    let letter = |c: char| match c.is_ascii_alphanumeric() || c == '_' {
        true => c.to_string(),
        false => format!("u{:x}", u32::from(c)),
    };
    name.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_taken_have_something_behind_them() {
        let mut names = Names::default();
        let given = ["x", "float", "out", "float_", "out", "größe"].map(|name| names.give(name));
        assert_eq!(
            given,
            ["x", "float_", "out", "float__", "out_", "gruf6udfe"]
        );
    }
}
