-- Removes noted ids that nobody has noted again since they were read.
-- KEYS[1]: the hash of noted ids, each with its note
-- ARGV: ids and the notes that were read, in turn
-- Returns how many were removed.
local removed = 0
for i = 1, #ARGV, 2 do
  if redis.call("HGET", KEYS[1], ARGV[i]) == ARGV[i + 1] then
    removed = removed + redis.call("HDEL", KEYS[1], ARGV[i])
  end
end
return removed
