-- Lets readers see the state of the feed as it is stored in Elasticsearch, unless they see a later one.
-- KEYS[1] the served indices; KEYS[2] the epoch; KEYS[3] the purged tickets; KEYS[4] the version that they see;
--   KEYS[5] the moves
-- ARGV[1] the version; ARGV[2] the epoch; then for each read model: its name, the index that readers search, and the ticket up to which
--   removals are purged
-- Returns the version that they see now.
local seen = redis.call("GET", KEYS[4])
if seen and tonumber(seen) > tonumber(ARGV[1]) then return seen end
redis.call("SET", KEYS[4], ARGV[1])
redis.call("SET", KEYS[2], ARGV[2])
for at = 3, #ARGV, 3 do
  local model, index = ARGV[at], ARGV[at + 1]
  redis.call("HSET", KEYS[1], model, index)
  redis.call("HSET", KEYS[3], model, ARGV[at + 2])
  if seen ~= ARGV[1] then redis.call("HINCRBY", KEYS[5], model, 1) end
end
return ARGV[1]
