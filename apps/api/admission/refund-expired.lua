-- Refunds the advances whose lease has expired, because their process was killed. A refunded advance stays stored, so that it is
-- charged again if its process is still alive.
-- KEYS[1] month, as in admit.lua; KEYS[2] advances, as in settle-advance.lua
-- ARGV[1] how long after its expiry an advance is stored, in ms
-- Returns {number of requests refunded, number of advances that are still leased}
local advances = redis.call("HGETALL", KEYS[2])
if #advances == 0 then return { 0, 0 } end
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local month = redis.call("HMGET", KEYS[1], "ends", "used")
local used, back, leased = tonumber(month[2]) or 0, 0, 0
for i = 1, #advances, 2 do
  local expires, ends, undelivered, given = string.match(advances[i + 1], "^(%d+) (%d+) (%d+) (%d+)$")
  if now < tonumber(expires) then
    leased = leased + 1
  elseif month[1] == ends and tonumber(undelivered) > 0 then
    local due = math.min(tonumber(undelivered), used - back)
    back = back + due
    redis.call("HSET", KEYS[2], advances[i], string.format("%d %d 0 %d", expires, ends, given + due))
  end
  if now >= expires + ARGV[1] then redis.call("HDEL", KEYS[2], advances[i]) end
end
if back > 0 then redis.call("HSET", KEYS[1], "used", used - back) end
return { back, leased }
