// The program of the fork server: plain Perl 5 without a module, so that it starts in two milliseconds and stays small.
//
// Asked on stdin by records of a length in four bytes and fields that a NUL separates; answers a line each on stdout:
//   start <id> <cwd> <stdin> <stdout> <stderr> <count> <argument>… <NAME=value>…
//     -> s <id> <pid> <start time>   it runs what it was told to
//        f <id> <errno>              it does not
//        u <id>                      it cannot: the names of its streams cannot be opened from here
//     -> e <id> <status>             it has ended, in the words of wait(2)
//   pipes <id> <count>   -> p <id> <descriptor>…   the ends to open by name, kept until it is told
//   drop <id>                                      that they are open
//   noted <id>…                                    that whoever comes later will find what was started
//   ping <id>            -> a <id>
// It ends when its input does. What it started goes on, but for what nobody noted: nobody would ever end that.

/** Needs the numbers of `setsid` and `pidfd_open` as arguments. */
export const forkServerProgram = String.raw`
# Numbers, which is what a system call takes; texts would be passed as addresses.
my ($setsid, $pidfd_open) = map { $_ + 0 } @ARGV;
close_number(watch($$) // exit 1);
open(my $say, '>&', STDOUT) or exit 1;
my $asked = '';
my (%starts, %pipes);

for (;;) {
  my $ready = '';
  vec($ready, 0, 1) = 1;
  for my $start (values %starts) {
    vec($ready, fileno $start->{status}, 1) = 1 if $start->{status};
    vec($ready, $start->{watch}, 1) = 1;
  }
  next if select($ready, undef, undef, undef) < 0;
  for my $id (keys %starts) {
    my $start = $starts{$id};
    my $over = vec($ready, $start->{watch}, 1);
    tell_start($id, $start) if $start->{status} && ($over || vec($ready, fileno $start->{status}, 1));
    tell_end($id, $start) if $over;
  }
  next if !vec($ready, 0, 1);
  sysread(STDIN, $asked, 65536, length $asked) or leave();
  while (length $asked >= 4) {
    my $length = unpack 'N', $asked;
    last if length $asked < 4 + $length;
    my @fields = split /\0/, substr($asked, 4, $length), -1;
    substr($asked, 0, 4 + $length) = '';
    my ($what, $id, @rest) = @fields;
    if ($what eq 'start') { start($id, @rest) }
    elsif ($what eq 'pipes') { make_pipes($id, @rest) }
    elsif ($what eq 'drop') { delete $pipes{$id} }
    elsif ($what eq 'noted') { exists $starts{$_} and $starts{$_}{noted} = 1 for $id, @rest }
    else { answer("a $id") }
  }
}

sub start {
  my ($id, $cwd, $stdin, $stdout, $stderr, $count, @argv) = @_;
  my @environment = splice @argv, $count;
  # Closed by a successful exec, else it says why there was none.
  my ($status, $failure);
  my $server = $$;
  my $pid = pipe($status, $failure) ? fork : undef;
  return answer("f $id " . ($! + 0)) if !defined $pid;
  if ($pid == 0) {
    # Leaves a descriptor to open the streams with.
    close $status;
    # A Perl made for another processor calls something else by that number.
    my $streams = syscall($setsid) == $$
      && sysopen(STDIN, $stdin, 0) && sysopen(STDOUT, $stdout, 1) && sysopen(STDERR, $stderr, 1);
    # Without the server nobody kept what those names stood for.
    kill 'KILL', $$ if getppid != $server;
    if ($streams && chdir $cwd) {
      %ENV = map { split /=/, $_, 2 } @environment;
      exec { $argv[0] } @argv;
    }
    syswrite $failure, $streams ? 'f ' . ($! + 0) : 'u';
    kill 'KILL', $$;
  }
  # Leaves a descriptor for the watch: what cannot be watched runs already.
  close $failure;
  my $watch = watch($pid);
  if (!defined $watch) {
    my $errno = $! + 0;
    kill 'KILL', $pid;
    waitpid $pid, 0;
    return answer("f $id $errno");
  }
  $starts{$id} = { pid => $pid, watch => $watch, status => $status };
}

sub tell_start {
  my ($id, $start) = @_;
  sysread(delete $start->{status}, my $failure, 16);
  $start->{failed} = length $failure;
  my ($kind, @words) = $start->{failed} ? split(' ', $failure) : ('s', $start->{pid}, start_time($start->{pid}));
  answer(join ' ', $kind, $id, @words);
}

sub tell_end {
  my ($id, $start) = @_;
  waitpid $start->{pid}, 0;
  answer("e $id $?") if !$start->{failed};
  close_number($start->{watch});
  delete $starts{$id};
}

sub make_pipes {
  my ($id, $count) = @_;
  my @made;
  for (1 .. $count) {
    pipe(my $read, my $write) or last;
    push @made, [$read, $write];
  }
  # Where descriptors are scarce, some must be left for starts.
  splice @made, @made / 2 if @made < $count;
  $pipes{$id} = \@made;
  answer(join ' ', 'p', $id, map { fileno($_->[0]) } @made);
}

sub leave {
  kill 'KILL', -$_->{pid}, $_->{pid} for grep { !$_->{noted} } values %starts;
  exit;
}

# Readable once the process has ended; not even a signal that comes at the wrong moment is lost.
sub watch {
  my $descriptor = syscall $pidfd_open, $_[0] + 0, 0;
  return $descriptor < 0 ? undef : $descriptor;
}

sub close_number {
  open(my $handle, '<&=', $_[0]) && close $handle;
}

sub start_time {
  open(my $file, '<', "/proc/$_[0]/stat") or return '';
  my $line = <$file>;
  return (split ' ', substr($line, rindex($line, ')') + 2))[19];
}

sub answer {
  syswrite $say, "$_[0]\n";
}
`;
