# A GTP program for tests: fake_gtp.sh LOG REFUSED ANSWER...
#
# It appends every command to LOG, and refuses the command REFUSED. The first genmove in LOG, whichever process got it, is
# answered by the first ANSWER, the second by the second, and so on. The last ANSWER serves all further ones; without any, it
# passes. An ANSWER may also be something to do: die, hang, garbage, mute, flood or error.
log=$1
refused=$2
shift 2
echo start >>"$log"
while read -r line; do
    echo "$line" >>"$log"
    if [ "$line" = "$refused" ]; then
        printf '? illegal move\n\n'
        continue
    fi
    case $line in
    genmove*)
        number=$(grep -c ^genmove "$log")
        [ "$number" -gt $# ] && number=$#
        if [ $# -eq 0 ]; then answer=pass; else eval "answer=\${$number}"; fi
        case $answer in
        die)
            echo "out of luck" >&2
            exit 3
            ;;
        hang) exec sleep 600 ;;
        garbage) printf 'what now?\n\n' ;;
        mute) exec sleep 600 >&- ;;
        flood) exec yes "$(printf '= %070000d' 0)" ;;
        error) printf '?7 no idea\n\n' ;;
        *) printf '= %s\n\n' "$answer" ;;
        esac
        ;;
    *) printf '= \n\n' ;;
    esac
done
