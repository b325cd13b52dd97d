-- Notes which documents are about to be written, before their former state is read.
-- KEYS[1] the documents that are being written: id to the highest ticket of their writers, with "!" when there are or were several;
-- KEYS[2] the last generation that came without a list of changes; KEYS[3] how many writings have begun
-- ARGV[1] the writer's ticket; ARGV[2…] ids of documents
-- Returns {1 if one of them is being written by somebody else or was left by a writer that died, else 0; the value of KEYS[2];
-- which writing this is}.
local contested = 0
for i = 2, #ARGV do
  local others = redis.call("HGET", KEYS[1], ARGV[i])
  local holder = ARGV[1]
  if others then
    contested = 1
    -- Once the highest is through, the engine refuses what those below it still write.
    local highest = math.max(tonumber(others:match("%d+")), tonumber(ARGV[1]))
    holder = string.format("%.0f!", highest)
  end
  redis.call("HSET", KEYS[1], ARGV[i], holder)
end
return { contested, redis.call("GET", KEYS[2]) or "", redis.call("INCR", KEYS[3]) }
