"""Names that come with Ruby: classes and modules, methods that every object has, methods of its values."""

from typing import Final

_CLASSES: Final = """
ARGF ARGV ArgumentError Array Base64 BasicObject Benchmark BigDecimal Binding Bundler CSV Class
ClosedQueueError Comparable Complex ConditionVariable Coverage Data Date DateTime DelegateClass Delegator
Digest Dir ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno Etc Exception FalseClass
Fiber FiberError File FileTest FileUtils Float FloatDomainError Forwardable FrozenError GC Gem Hash IO
IOError IPAddr IndexError Integer Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger Marshal
MatchData Math Method Minitest Module Monitor MonitorMixin Mutex NameError Net NilClass
NoMatchingPatternError NoMatchingPatternKeyError NoMemoryError NoMethodError NotImplementedError Numeric
Object ObjectSpace Observable Open3 OpenSSL OpenStruct OptionParser PP Pathname Proc Process Psych Queue
RUBY_COPYRIGHT RUBY_DESCRIPTION RUBY_ENGINE RUBY_ENGINE_VERSION RUBY_PATCHLEVEL RUBY_PLATFORM
RUBY_RELEASE_DATE RUBY_REVISION RUBY_VERSION Racc Ractor Rake Random Range RangeError Rational RbConfig
Refinement Regexp RegexpError Ripper RubyVM RuntimeError STDERR STDIN STDOUT ScriptError SecureRandom
SecurityError Set Shellwords Signal SignalException SimpleDelegator Singleton SizedQueue Socket SortedSet
StandardError StopIteration String StringIO Struct Symbol SyntaxError SystemCallError SystemExit
SystemStackError TCPServer TCPSocket TOPLEVEL_BINDING Tempfile Thread ThreadError ThreadGroup Time Timeout
TracePoint TrueClass TypeError UNIXSocket URI UnboundMethod UncaughtThrowError Warning WeakRef YAML
ZeroDivisionError Zlib
"""

_OF_EVERY_OBJECT: Final = """
__callee__ __dir__ __id__ __method__ __send__ abort alias_method allocate ancestors at_exit attr
attr_accessor attr_reader attr_writer autoload autoload? binding block_given? byebug caller
caller_locations catch class class_eval class_exec class_variable_defined? class_variable_get
class_variable_set class_variables clone const_defined? const_get const_missing const_set
const_source_location constants debugger define_method define_singleton_method deprecate_constant display
dup enum_for eql? equal? eval exec exit exit! extend extended fail fork format freeze frozen? gem gets
global_variables hash include include? included included_modules inherited initialize_clone
initialize_copy initialize_dup inspect instance_eval instance_exec instance_method instance_methods
instance_of? instance_variable_defined? instance_variable_get instance_variable_set instance_variables
is_a? itself kind_of? lambda load local_variables loop method method_added method_defined? method_missing
method_removed method_undefined methods module_eval module_exec name new nil? object_id open p pp prepend
prepended print printf private private_class_method private_constant private_instance_methods
private_method_defined? private_methods proc protected protected_instance_methods
protected_method_defined? protected_methods public public_class_method public_constant
public_instance_method public_instance_methods public_method public_method_defined? public_methods
public_send putc puts raise rand readline readlines remove_class_variable remove_const
remove_instance_variable remove_method require require_dependency require_relative respond_to?
respond_to_missing? ruby2_keywords select send set_trace_func singleton_class singleton_class?
singleton_method singleton_method_added singleton_method_removed singleton_method_undefined
singleton_methods sleep spawn sprintf srand subclasses superclass syscall system tap test then throw
to_enum to_s trace_var trap undef_method untrace_var using w warn yield_self
"""

_OF_VALUES: Final = """
abort_on_exception abs absolute? absolute_path absolute_path? add add? add_trace_func advise ajd
alias_method alive? all? allbits? allocate allow amjd ancestors angle any? anybits? append arg arity
ascend ascii_compatible? ascii_only? asctime assoc at atime attr attr_accessor attr_reader attr_writer
attributes autoclose? autoload autoload? b backtrace backtrace_locations basename be_nil begin between?
binding binmode binmode? binread binwrite birthtime bit_length blank? blockdev? bsearch bsearch_index
build bytes bytesize byteslice call capitalize capitalize! captures casecmp casecmp? casefold? cause ceil
center chain chardev? chars chdir children chmod chomp chomp! chop chop! chown chr chroot chunk
chunk_while clamp class_eval class_exec class_variable_defined? class_variable_get class_variable_set
class_variables classify cleanpath clear clone close close_on_exec? close_read close_write closed?
closed_read? closed_write? codepoints coerce collect collect! collect_concat combination compact compact!
compare_by_identity compare_by_identity? concat const_defined? const_get const_missing const_set
const_source_location constants copy_stream count cover? create create! crypt ctime curry cwday cweek
cwyear cycle day day_fraction deconstruct deconstruct_keys default default_proc define_method delete
delete! delete? delete_at delete_if delete_prefix delete_prefix! delete_suffix delete_suffix! denominator
deprecate_constant deq descend destroy destroy! detect difference dig digits directory? dirname disjoint?
div divide divmod downcase downcase! downto drop drop_while dst? dummy? dump dup each each_byte each_char
each_child each_codepoint each_cons each_entry each_filename each_grapheme_cluster each_index each_key
each_line each_pair each_slice each_value each_with_index each_with_object empty? encode encode! encoding
end end_with? england enq entries eof eof? eq eql? errors even? except exception exclude_end? executable?
executable_real? exist? exists? exit expand_path expect external_encoding extname fcntl fdatasync fdiv
feed fetch fetch_values file? fileno fill filter filter! filter_map find find_all find_by find_index
finite? first fixed_encoding? flat_map flatten flatten! flatten_merge flock floor flush fnmatch fnmatch?
for_fd force_encoding foreach freeze friday? fsync ftype full_message gcd gcdlcm getbyte getc getgm
getlocal gets getutc getwd glob gm gmt? gmt_offset gmtime gmtoff grapheme_clusters gregorian gregorian?
grep grep_v group group_by grpowned? gsub gsub! has_key? has_value? hash hex home hour httpdate id id2name
identical? include include? included_modules index infinite? inject insert inspect instance_method
instance_methods integer? intern internal_encoding intersect? intersection invert ioctl isatty isdst
iso8601 italy jd jisx0301 join julian julian? keep_if key key? keys kill lambda? last lazy lchmod lchown
lcm ld leap? length limit lineno lines link ljust local localtime lock locked? lstat lstrip lstrip! lutime
magnitude make_link make_symlink map map! marshal_dump marshal_load match match? match_length max max_by
mday member? members merge merge! message method_defined? min min_by minmax minmax_by mjd mkdir mkfifo
mkpath mktime module_eval module_exec modulo mon monday? month mountpoint? mtime name named_captures names
nan? native_thread_id negative? new new_start next next! next_day next_float next_month next_values
next_year nobits? none? now nsec num_waiting numerator oct odd? offset one? open opendir options ord order
original_name owned? owner pack parameters params parent parse partition path peek peek_values
pending_interrupt? permutation phase pid pipe pipe? pluck pop popen pos positive? post_match pow pre_match
pread pred prepend presence present? pretty_print pretty_print_cycle prev_day prev_float prev_month
prev_year print printf priority private? private_class_method private_constant private_instance_methods
private_method_defined? product proper_subset? proper_superset? protected? protected_instance_methods
protected_method_defined? public? public_class_method public_constant public_instance_method
public_instance_methods public_method_defined? push putc puts pwd pwrite quo raise rassoc rationalize read
read_nonblock readable? readable_real? readbyte readchar readline readlines readlink readpartial
realdirpath realpath receiver reduce regexp rehash reject reject! relative? relative_path_from reload
remainder remove_class_variable remove_method rename reopen repeated_combination repeated_permutation
replace replicate report_on_exception reset respond_to? reverse reverse! reverse_each rewind rfc2822
rfc3339 rfc822 rindex rjust rmdir rmtree root? rotate rotate! round rpartition rstrip rstrip!
ruby2_keywords run sample saturday? save save! scan scrub scrub! sec seek select select! set_backtrace
set_encoding set_encoding_by_bom set_trace_func setbyte setgid? setuid? shift shuffle shuffle!
singleton_class? size size? sleep slice slice! slice_after slice_before slice_when socket? sort sort!
sort_by sort_by! source source_location split squeeze squeeze! squish start start_with? stat status step
sticky? stop? store strftime string strip strip! strptime sub sub! sub_ext subclasses subsec subset?
subtract succ succ! sum sunday? super_method superclass superset? swapcase swapcase! symlink symlink? sync
synchronize sysopen sysread sysseek syswrite taint take take_while tally tell terminate thread_variable?
thread_variable_get thread_variable_set thread_variables thursday? times to_a to_ary to_c to_date
to_datetime to_f to_h to_hash to_i to_int to_io to_path to_proc to_r to_s to_set to_str to_sym to_time tr
tr! tr_s tr_s! transform_keys transform_keys! transform_values transform_values! transpose truncate try
try_convert try_lock tty? tuesday? tv_nsec tv_sec tv_usec umask unbind undef_method undump ungetbyte
ungetc unicode_normalize unicode_normalize! unicode_normalized? union uniq uniq! unlink unlock unpack
unpack1 unshift untaint upcase upcase! update update! upto usec utc utc? utc_offset utime valid?
valid_encoding? value value? values values_at wakeup wday wednesday? where with_index with_object
world_readable? world_writable? writable? writable_real? write write_nonblock xmlschema yday year yield
zero? zip zone zone_offset
"""

RUBY_CLASSES: Final = frozenset(_CLASSES.split())
ROOT_METHODS: Final = frozenset(_OF_EVERY_OBJECT.split())
"""What every object has, and what every class has that is one: Kernel, Object, Module, Class."""

EVERYDAY_METHODS: Final = frozenset(_OF_VALUES.split()) | ROOT_METHODS
"""The methods of strings, collections, files, times and records: their names say nothing of whose they are."""
