-- Reads the state of the feed of a read model, in one step.
-- KEYS[1] the ticket clock; KEYS[2] the held tickets; KEYS[3] the served indices; KEYS[4] the epoch; KEYS[5] the purged tickets; KEYS[6] the moves
-- ARGV[1] the read model
-- Returns {epoch, index, horizon, clock, purged, moves} as texts, or nothing while the feed is closed.
-- Numbers stay texts or are formatted, because Lua would shorten them.
local clock = redis.call("GET", KEYS[1])
local index = redis.call("HGET", KEYS[3], ARGV[1])
local epoch = redis.call("GET", KEYS[4])
if not (clock and index and epoch) then return false end
local lowest = redis.call("ZRANGE", KEYS[2], 0, 0)[1]
local horizon = lowest and string.format("%.0f", tonumber(lowest) - 1) or clock
return { epoch, index, horizon, clock, redis.call("HGET", KEYS[5], ARGV[1]) or "0",
  redis.call("HGET", KEYS[6], ARGV[1]) or "0" }
