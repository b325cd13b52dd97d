-- Notes since when a write waits to be searchable: the time of the oldest job that is not done.
-- In one step, so that a job that comes meanwhile is either seen here or noted by mark-job.lua afterwards.
-- KEYS[1] the note; then for each queue: its jobs that wait, those that are paused, those that are active, those that are delayed
-- ARGV[n] what the keys of the jobs of queue n begin with
local oldest
local function look(prefix, id)
  local made = id and tonumber(redis.call("HGET", prefix .. id, "timestamp") or "")
  if made and (not oldest or made < oldest) then oldest = made end
end
for n, prefix in ipairs(ARGV) do
  local first = 4 * n - 2
  -- Jobs enter on the left.
  look(prefix, redis.call("LINDEX", KEYS[first], -1))
  look(prefix, redis.call("LINDEX", KEYS[first + 1], -1))
  for _, id in ipairs(redis.call("LRANGE", KEYS[first + 2], 0, -1)) do look(prefix, id) end
  look(prefix, redis.call("ZRANGE", KEYS[first + 3], 0, 0)[1])
end
if oldest then redis.call("SET", KEYS[1], string.format("%.0f", oldest)) else redis.call("DEL", KEYS[1]) end
