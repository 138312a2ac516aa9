#!/bin/sh
# Called for each notification that is shown, with a line of JSON: answers those of our category with a comment.
read -r line
case $line in
  *'"silent":true'*) echo new_data ;;
  *'"what":"shown"'*'"category":"article"'*) echo '{"action": "comment", "text": "Well written"}' ;;
esac
