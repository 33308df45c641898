"""Names of methods that everyday types of Rust's standard library have: such a name alone proves nothing."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

OF_ITERATORS: Final = frozenset(
    """
    all and_then any as_slice chain chunks cloned cmp collect copied count cycle dedup drain enumerate eq extend
    filter_map find find_map first flat_map flatten fold for_each fuse ge gt inspect insert is_empty into_iter iter
    iter_mut last le len lt map_while max max_by max_by_key min min_by min_by_key ne nth partition peekable position
    product resize retain rev rposition scan skip skip_while sort sort_by sort_by_key sort_unstable split split_at
    step_by sum take take_while to_vec truncate unzip windows zip
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
EVERYDAY: Final = OF_ITERATORS | frozenset(
    """
    abs addr append as_bytes as_deref as_deref_mut as_micros as_millis as_mut as_mut_slice as_nanos as_os_str as_path
    as_ptr as_ref as_secs as_secs_f64 as_slice as_str binary_search borrow borrow_mut by_ref bytes capacity ceil
    char_indices chars checked_add checked_div checked_mul checked_sub chunk_by clamp clear clone_from compare_exchange
    components concat contains contains_key display downcast downcast_ref duration_since elapsed ends_with entries entry
    eq_ignore_ascii_case err expect expect_err extend_from_slice extension fetch_add fetch_sub file_name file_stem fill
    filter floor flush format from_str get get_mut get_or_insert get_or_insert_with get_or_init hash ilog2 insert_str
    into_boxed_str into_bytes into_inner into_keys into_string into_values is_absolute is_alphabetic is_alphanumeric
    is_ascii is_char_boundary is_control is_digit is_dir is_err is_err_and is_file is_finite is_lowercase is_negative
    is_none is_none_or is_numeric is_ok is_ok_and is_positive is_some is_some_and is_uppercase is_whitespace keys kind
    leading_zeros lines load lock make_ascii_lowercase map map_err map_or map_or_else matches metadata modified next
    next_back notify_all notify_one ok ok_or ok_or_else or_default or_else or_insert or_insert_with parent parse path
    peek pop pop_back pop_front pow push push_back push_front push_str read read_dir read_exact read_line read_to_end
    read_to_string recv recv_timeout rem_euclid remove rename repeat replace replace_range reserve reverse rfind rotate_left
    round rsplit rsplit_once rsplitn saturating_add saturating_sub seek send set set_extension shrink_to_fit shutdown
    signum sleep sort_by_cached_key sort_unstable_by sort_unstable_by_key spawn split_ascii_whitespace split_first
    split_last split_off split_once split_terminator split_whitespace splitn sqrt starts_with stderr stdin stdout store
    strip_prefix strip_suffix swap swap_remove symmetric_difference then then_some to_ascii_lowercase to_ascii_uppercase
    to_digit to_le_bytes to_be_bytes to_lowercase to_owned to_path_buf to_str to_string to_string_lossy to_uppercase
    total_cmp trailing_zeros transpose trim trim_end trim_end_matches trim_matches trim_start trim_start_matches
    try_clone try_for_each try_from try_into try_lock try_recv try_send union unwrap unwrap_err unwrap_or unwrap_or_default
    unwrap_or_else upgrade values values_mut wait with_capacity with_extension with_file_name wrapping_add wrapping_sub
    write write_all write_fmt write_str xor zip
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
OF_CRATES: Final = frozenset(
    """
    abort acquire arg args bind body boxed build cancel captures commit configure connect context create delete deserialize
    encode decode enter error_for_status execute fetch fetch_all fetch_one fetch_optional finish form from_reader get_one
    handle header headers host init instrument into_response is_match join json layer list log make name nest now
    on_error options or_exit par_iter patch poll post process put query record refresh register reload render request reset
    resolve result rollback route run sample save select send_request serialize service show start status stop subscribe
    target text timeout to_json transform try_get type_name update url user validate version warn with_context
    with_state wrap_err wrap_err_with
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
"""Names that methods of many crates have: on an object that nothing is known of, one of the project proves nothing."""
POINTING: Final = frozenset(
    """
    find first_key_value get_key_value last last_key_value max_by max_by_key min_by min_by_key next next_back nth peek
    pop_first pop_last reduce
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
"""What gives an element, of a map an entry."""
_PARTS: Final = {
    "counted": "enumerate",
    "grouped": "chunks chunks_exact windows",
    "held": (
        "back back_mut entry first_mut front front_mut get_mut last_mut peek_mut pop_back pop_front shift_remove swap_remove"
    ),
    "keys": "into_keys keys",
    "paired": "zip",
    "same": (
        "as_mut_slice as_slice by_ref chain cloned copied cycle dedup drain fuse inspect into_boxed_slice peekable rev"
        " rsplit_at skip_while sorted step_by take take_while to_vec"
        " context map_err ok_or ok_or_else or_else with_context wrap_err wrap_err_with"  # of one in an Option or a Result
    ),
    "values": "into_values values values_mut",
}
PARTS_GIVEN: Final[Mapping[str, str]] = MappingProxyType(
    {name: parts for parts, names in _PARTS.items() for name in names.split()}
)
