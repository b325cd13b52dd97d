-- Charges further requests of an admitted request to the quota: all of them, or none if fewer are left.
-- KEYS[1] month, as in admit.lua; KEYS[2] advances, as in settle-advance.lua
-- ARGV[1] end of the month that the request was admitted in; ARGV[2] quota; ARGV[3] number of further requests
-- ARGV[4] id of their advance, or '' without one; ARGV[5] its lease, in ms
-- Returns {1 if they are charged, else 0; used after it; end of the month they count in}
local month = redis.call("HMGET", KEYS[1], "ends", "used")
-- Nothing is there when Redis has lost the window since. Another month is there when it has begun since.
local ends, used = month[1] or ARGV[1], tonumber(month[2]) or 0
if used + tonumber(ARGV[3]) > tonumber(ARGV[2]) then return { 0, used, tonumber(ends) } end
redis.call("HSET", KEYS[1], "ends", ends, "used", used + ARGV[3])
if not month[1] then redis.call("EXPIREAT", KEYS[1], ends + 86400) end
if ARGV[4] ~= "" then
  local clock = redis.call("TIME")
  local expires = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[5]
  redis.call("HSET", KEYS[2], ARGV[4], string.format("%d %d %d 0", expires, ends, ARGV[3]))
  redis.call("EXPIREAT", KEYS[2], ends + 86400)
end
return { 1, used + ARGV[3], tonumber(ends) }
