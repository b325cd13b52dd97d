-- Renews the lease of an advance, or ends the advance. If it was refunded because its lease had expired, it is charged again first.
-- KEYS[1] month, as in admit.lua
-- KEYS[2] advances {id: "expiry of the lease (ms), end of its month (s), requests to refund at the expiry, requests refunded since the expiry"}
-- ARGV[1] id; ARGV[2] requests to refund at the expiry; '' ends the advance; ARGV[3] requests to refund now; ARGV[4] lease, in ms
-- Returns 1; 0 when Redis has no advance with this id, because it has ended or its data was lost
local advance = redis.call("HGET", KEYS[2], ARGV[1])
if not advance then return 0 end
local ends, given = string.match(advance, "^%d+ (%d+) %d+ (%d+)$")
local month = redis.call("HMGET", KEYS[1], "ends", "used")
local change = tonumber(given) - tonumber(ARGV[3])
if change ~= 0 and month[1] == ends then
  redis.call("HSET", KEYS[1], "used", math.max(0, tonumber(month[2]) + change))
end
if ARGV[2] == "" then
  redis.call("HDEL", KEYS[2], ARGV[1])
else
  local clock = redis.call("TIME")
  local expires = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[4]
  redis.call("HSET", KEYS[2], ARGV[1], string.format("%d %d %d 0", expires, ends, ARGV[2]))
end
return 1
