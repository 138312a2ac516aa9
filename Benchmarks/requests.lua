-- For wrk: requests of METHOD to WHERE with the header fields FIELDS ("Name: value", one a line). A "%d" in BODY is the
-- number of the request; a "%s" in WHERE is the next line of the file LINES.
local where, body = os.getenv("WHERE"), os.getenv("BODY")
local fields, lines, number = {["Content-Type"] = "application/json"}, {}, 0

for name, value in os.getenv("FIELDS"):gmatch("([^:\n]+): ([^\n]+)") do fields[name] = value end
if os.getenv("LINES") then
  for line in io.lines(os.getenv("LINES")) do lines[#lines + 1] = line end
end

request = function()
  number = number + 1
  local path = #lines > 0 and where:gsub("%%s", lines[number % #lines + 1]) or where
  return wrk.format(os.getenv("METHOD"), path, fields, body and body:format(number))
end
