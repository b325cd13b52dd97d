-- Gives back advances whose lease has ended, because their process was killed. Each is given back once: it stays noted, as given back,
-- for as long as its process could still be alive without Redis.
-- KEYS[1] month, as in admit.lua; KEYS[2] advances, as in settle-advance.lua
-- ARGV[1] how long after its lease an advance is noted, in ms
-- Returns {number of requests given back, number of advances that are still leased}
local advances = redis.call("HGETALL", KEYS[2])
if #advances == 0 then return { 0, 0 } end
local clock = redis.call("TIME")
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local month = redis.call("HMGET", KEYS[1], "ends", "used")
local used, back, leased = tonumber(month[2]) or 0, 0, 0
for i = 1, #advances, 2 do
  local lapses, ends, ahead, given = string.match(advances[i + 1], "^(%d+) (%d+) (%d+) (%d+)$")
  if now < tonumber(lapses) then
    leased = leased + 1
  elseif month[1] == ends and tonumber(ahead) > 0 then
    local due = math.min(tonumber(ahead), used - back)
    back = back + due
    redis.call("HSET", KEYS[2], advances[i], string.format("%d %d 0 %d", lapses, ends, given + due))
  end
  if now >= lapses + ARGV[1] then redis.call("HDEL", KEYS[2], advances[i]) end
end
if back > 0 then redis.call("HSET", KEYS[1], "used", used - back) end
return { back, leased }
