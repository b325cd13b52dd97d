-- Removes pending ids that nobody has added again since they were read.
-- KEYS[1]: the hash of pending ids, each with the ticket with which it was added last
-- ARGV: ids and the tickets that were read, in turn
-- Returns how many were removed.
local removed = 0
for i = 1, #ARGV, 2 do
  if redis.call("HGET", KEYS[1], ARGV[i]) == ARGV[i + 1] then
    removed = removed + redis.call("HDEL", KEYS[1], ARGV[i])
  end
end
return removed
