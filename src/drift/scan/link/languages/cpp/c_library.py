"""The headers and functions of the C library and of POSIX, which no file of a project defines."""

from __future__ import annotations

from typing import Final

C_LIBRARY: Final = frozenset(
    """
    FD_CLR FD_ISSET FD_SET FD_ZERO INFINITY WEXITSTATUS WIFEXITED WIFSIGNALED WTERMSIG
    abort abs accept accept4 access acos acosf acosh alarm aligned_alloc alloca asctime asin asinf asinh asprintf
    assert atan atan2 atan2f atanf atanh atexit atof atoi atol atoll basename bind bsearch bzero calloc cbrt ceil
    ceilf chdir chmod chown clearenv clearerr clock clock_getres clock_gettime close closedir connect copysign cos
    cosf cosh creat ctime ctime_r difftime dirfd dirname div dlclose dlerror dlopen dlsym dprintf dup dup2 epoll_create
    epoll_ctl epoll_wait erf erfc execl execle execlp execv execve execvp exit _exit _Exit exp exp2 expf expm1 fabs
    fabsf fchmod fchown fclose fcntl fdatasync fdim fdopen feof ferror fflush fgetc fgetpos fgets fgetwc fileno
    flock floor floorf fma fmax fmaxf fmin fminf fmod fmodf fnmatch fopen fork fpclassify fprintf fputc fputs fputwc
    fread free freeaddrinfo freelocale freopen frexp fscanf fseek fseeko fsetpos fstat fsync ftell ftello ftruncate
    fwprintf fwrite gai_strerror getaddrinfo getc getchar getcwd getegid getenv geteuid getgid getgrgid getgrnam
    gethostbyname gethostname getline getlogin getnameinfo getopt getopt_long getpagesize getpeername getpgid getpid
    getppid getpwnam getpwuid getrandom getrlimit getrusage gets getsockname getsockopt gettid gettimeofday getuid
    gmtime gmtime_r htonl htons hypot inet_addr inet_aton inet_ntoa inet_ntop inet_pton ioctl isalnum isalpha isatty
    isblank iscntrl isdigit isfinite isgraph isinf islower isnan isprint ispunct isspace isupper iswalnum iswalpha
    iswdigit iswspace isxdigit kill labs ldexp ldiv link listen llabs llrint llround localeconv localtime localtime_r
    log log10 log10f log1p log2 log2f logb logf longjmp lrint lround lseek lstat madvise malloc mblen mbrtowc mbstowcs
    mbtowc memccpy memchr memcmp memcpy memmem memmove memrchr memset mkdir mkdtemp mkfifo mkostemp mkstemp mktime
    mlock mmap modf modff mprotect mremap msync munlock munmap nan nanosleep nearbyint newlocale nextafter nice
    ntohl ntohs offsetof open openat opendir openlog pause pclose perror pipe pipe2 poll popen posix_fadvise
    posix_fallocate posix_memalign pow powf ppoll pread printf prlimit pselect pthread_attr_destroy
    pthread_attr_getstacksize pthread_attr_init pthread_attr_setdetachstate pthread_attr_setstacksize
    pthread_cancel pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal
    pthread_cond_timedwait pthread_cond_wait pthread_create pthread_detach pthread_equal pthread_exit
    pthread_getspecific pthread_join pthread_key_create pthread_kill pthread_mutex_destroy pthread_mutex_init
    pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_init pthread_mutexattr_settype
    pthread_once pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_unlock
    pthread_rwlock_wrlock pthread_self pthread_setcancelstate pthread_setcanceltype pthread_setname_np
    pthread_setspecific pthread_sigmask putc putchar putenv puts pwrite qsort raise rand rand_r random read readdir
    readlink readv realloc reallocarray realpath recv recvfrom recvmsg regcomp regexec regfree remainder remove rename
    rewind rewinddir rint rmdir round roundf sbrk scanf sched_getcpu sched_setaffinity sched_yield seekdir select
    sem_destroy sem_init sem_post sem_wait send sendfile sendmsg sendto setbuf setenv setgid setgroups setitimer
    setjmp setlocale setpgid setpriority setrlimit setsid setsockopt setuid setvbuf shm_open shm_unlink shutdown
    sigaction sigaddset sigaltstack sigdelset sigemptyset sigfillset siglongjmp signal signbit sigprocmask
    sigsetjmp sigsuspend sin sinf sinh sleep snprintf socket socketpair sprintf sqrt sqrtf srand srandom sscanf stat
    static_assert statvfs stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp strcoll strcpy strcspn
    strdup strerror strerror_r strftime strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup strnlen
    strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok strtok_r strtol strtold
    strtoll strtoul strtoull strtoumax strxfrm swprintf symlink sync sysconf syscall sysinfo syslog system tan tanf
    tanh tcgetattr tcsetattr telldir tgamma time timegm times tmpfile tmpnam tolower toupper towlower towupper trunc
    truncate ttyname tzset umask uname ungetc unlink unsetenv uselocale usleep utime utimes va_arg va_copy va_end
    va_start vasprintf vfork vfprintf vprintf vscanf vsnprintf vsprintf vsscanf wait wait3 wait4 waitpid wcscmp wcscpy
    wcslen wcsncmp wcsncpy wcsstr wcstombs wctomb wmemcpy wmemset wprintf write writev
    """.split()  # noqa: SIM905  # a list of hundreds of strings is harder to read
)

SYSTEM_HEADERS: Final = frozenset(
    """
    aio.h assert.h complex.h ctype.h dirent.h dlfcn.h errno.h execinfo.h fcntl.h fenv.h float.h fnmatch.h getopt.h
    glob.h grp.h inttypes.h iso646.h langinfo.h limits.h locale.h malloc.h math.h netdb.h poll.h pthread.h pwd.h
    regex.h sched.h semaphore.h setjmp.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h
    stdio.h stdlib.h stdnoreturn.h string.h strings.h syslog.h termios.h tgmath.h threads.h time.h uchar.h unistd.h
    utime.h wchar.h wctype.h windows.h
    """.split()  # noqa: SIM905  # a list of strings is harder to read
)
"""What brackets around these names mean, whatever else a project keeps under them for other platforms."""
