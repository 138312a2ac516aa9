-- For wrk: every request turns the sign the other way. TOKEN and PATH come from the environment.
local token, path = os.getenv("TOKEN"), os.getenv("STATE_PATH")
local number = 0

request = function()
  number = number + 1
  local body = string.format('{"open": %s, "message": "turn %d"}', tostring(number % 2 == 0), number)
  return wrk.format("POST", path, {
    ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json"}, body)
end
