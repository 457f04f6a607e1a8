# Reads a folder's name, waits until whoever wrote it has ended, and then ends every process that knows the folder, by its
# words or its environment (TMPDIR), and deletes it.
IFS= read -r folder || exit 0
case $folder in */attribution-run-*) ;; *) exit 1 ;; esac
cat >/dev/null

processes() {
  if [ "$(uname)" = Darwin ]; then ps -axEww -o pid=,command=; else ps axeww -o pid=,args=; fi
}

# PostgreSQL's, or the others.
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

# Where a temporary folder's name is too long for a socket, that is elsewhere.
sockets=$(find "$folder" -name postmaster.pid -exec sed -n 5p {} \;)

# A server that is asked to quit ends its own processes and leaves no shared memory; what does not is killed.
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
