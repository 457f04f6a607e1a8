# Reads a folder's name from standard input, and waits until the process at the other end has ended. Then ends
# every process that has the folder in its arguments or environment (TMPDIR), and deletes the folder.
IFS= read -r folder || exit 0
case $folder in */attribution-run-*) ;; *) exit 1 ;; esac
cat >/dev/null

processes() {
  if [ "$(uname)" = Darwin ]; then ps -axEww -o pid=,command=; else ps axeww -o pid=,args=; fi
}

# Prints the PostgreSQL processes, or all other processes.
those() {
  processes | while read -r pid words; do
    case $words in
    *"$folder"*)
      case $words in */postgres\ * | postgres:*) kind=postgres ;; *) kind=other ;; esac
      if [ "$kind" = "$1" ]; then echo "$pid"; fi
      ;;
    esac
  done
}

# If a temporary folder's name is too long for a socket, the socket is elsewhere.
sockets=$(find "$folder" -name postmaster.pid -exec sed -n 5p {} \;)

# On QUIT, a server ends its own processes and frees its shared memory. A server that does not end is killed.
signal=QUIT
round=0
while [ $round -lt 50 ]; do
  others=$(those other)
  if [ -n "$others" ]; then kill -KILL $others; fi
  servers=$(those postgres)
  if [ -n "$servers" ]; then kill -$signal $servers; fi
  if [ -z "$others$servers" ]; then break; fi
  round=$((round + 1))
  if [ $round -eq 25 ]; then signal=KILL; fi
  sleep 0.2
done

for disk in "$folder"/attribution-disk-*; do
  if [ -d "$disk" ]; then umount -l "$disk"; fi
done
for socket in $sockets; do
  case $socket in */attribution-*) rm -rf "$socket" ;; esac
done
rm -rf "$folder"
