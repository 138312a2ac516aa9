-- For wrk: every request sends BODY to WHERE, with the number of the next of DEVICES devices and that of the request in
-- it. TOKEN, if there is one, says who sends. All come from the environment.
local where, body, devices = os.getenv("WHERE"), os.getenv("BODY"), tonumber(os.getenv("DEVICES"))
local fields = {["Content-Type"] = "application/json"}
if os.getenv("TOKEN") then fields["Authorization"] = "Bearer " .. os.getenv("TOKEN") end
local number = 0

request = function()
  number = number + 1
  return wrk.format("POST", where, fields, string.format(body, number % devices + 1, number))
end
