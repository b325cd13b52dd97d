-- Finds since when a write waits to be searchable: the time of the oldest job that is not done. Corrects the key of that time, if it is
-- given: in one step, so that a job that comes meanwhile is either seen here or set by mark-job.lua afterwards.
-- KEYS: for each queue its jobs that wait, those that are paused, those that are active, those that are delayed; then the key of that time, if it is to be corrected
-- ARGV[n] what the keys of the jobs of queue n begin with
-- Returns the time as a text; false when no job is open.

-- The most jobs of a list that are looked at: those that are next. Producers wait while fewer wait.
local MOST = 500
local oldest
local function look(prefix, ids)
  for _, id in ipairs(ids) do
    -- Another program may have written something else there.
    local text = redis.pcall("HGET", prefix .. id, "timestamp")
    local made = type(text) == "string" and tonumber(string.match(text, "^%d+"))
    if made and (not oldest or made < oldest) then oldest = made end
  end
end
for n, prefix in ipairs(ARGV) do
  local first = 4 * n - 3
  -- Jobs enter on the left, delayed ones too when they are due: so the oldest may be anywhere.
  for list = first, first + 2 do look(prefix, redis.call("LRANGE", KEYS[list], -MOST, -1)) end
  look(prefix, redis.call("ZRANGE", KEYS[first + 3], 0, MOST - 1))
end
local since = oldest and string.format("%.0f", oldest)
local corrected = KEYS[4 * #ARGV + 1]
if corrected and since then redis.call("SET", corrected, since) elseif corrected then redis.call("DEL", corrected) end
return since or false
