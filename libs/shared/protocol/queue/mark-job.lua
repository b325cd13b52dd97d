-- Marks that a run has put a job into the queue, if Redis has the job and all jobs of the run before it.
-- If the job is not done, it also sets since when a write waits to be searchable, unless an older one does.
-- KEYS[1] the run's mark: the number of its last job; KEYS[2] the job; KEYS[3] the key of that time
-- ARGV[1] the job's number in the run; ARGV[2] for how many seconds the mark is kept; ARGV[3] the time, in ms
-- Returns {mark, 1 if Redis has the job, else 0}. A mark below the number means that Redis lost jobs of the run.
local mark, number = tonumber(redis.call("GET", KEYS[1]) or 0), tonumber(ARGV[1])
local there = redis.call("EXISTS", KEYS[2])
if mark == number - 1 and there == 1 then
  mark = number
  redis.call("SET", KEYS[1], number, "EX", ARGV[2])
end
if there == 1 and redis.call("HEXISTS", KEYS[2], "finishedOn") == 0 then
  redis.call("SET", KEYS[3], ARGV[3], "NX")
end
return { mark, there }
