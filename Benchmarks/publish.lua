-- For wrk: every request sends a notification to the next of DEVICES devices. TOKEN comes from the environment.
local token, devices = os.getenv("TOKEN"), tonumber(os.getenv("DEVICES"))
local number = 0

request = function()
  number = number + 1
  local body = string.format(
    '{"to": {"device": "%d"}, "content": {"title": "Open", "body": "Ada has opened, number %d"}}',
    number % devices + 1, number)
  return wrk.format("POST", "/api/v1/notifications", {
    ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json"}, body)
end
