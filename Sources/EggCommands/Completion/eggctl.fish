# fish completion for eggctl(1). eggctl says what fits at the cursor; nothing that it prints is evaluated.

function __eggctl_complete
    set -l words (commandline -xpc 2>/dev/null; or commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command eggctl complete-words $words[2..] "$current" 2>/dev/null </dev/null)
    if set -q answer[2]
        printf '%s\n' $answer[2..]
    end
    if test "$answer[1]" = hosts
        __fish_complete_user_at_hosts
    end
    if test "$answer[1]" = files
        set -l option (string match -r -- '^--[^=]*=' "$current")
        for path in (__fish_complete_path (string sub -s (math 1 + (string length -- "$option")) -- "$current"))
            printf '%s\n' "$option$path"
        end
    end
end

complete -c eggctl -f -k -a '(__eggctl_complete)'
