-- Announces a generation, and notes that its documents are no longer being written.
-- KEYS[1] the documents that are being written (see begin-writing.lua); KEYS[2] the last generation that came without a list of changes;
-- KEYS[3] the generation; KEYS[4] the step that leads to the new one
-- ARGV[1] the writer's ticket; ARGV[2] the new generation, "" for none; ARGV[3] KEYS[2] as it was when the writing began;
-- ARGV[4] what changed, "" when that is not known; ARGV[5] for how many seconds a step is kept; ARGV[6…] ids of documents
local listed = ARGV[4] ~= ""
for i = 6, #ARGV do
  local holder = redis.call("HGET", KEYS[1], ARGV[i])
  -- Another writer wrote it meanwhile: its state in between is not on the list.
  if holder ~= ARGV[1] then listed = false end
  if holder == ARGV[1] or holder == ARGV[1] .. "!" then redis.call("HDEL", KEYS[1], ARGV[i]) end
end
if ARGV[2] == "" then return end
local before = redis.call("GET", KEYS[3])
redis.call("SET", KEYS[3], ARGV[2])
if listed and before and (redis.call("GET", KEYS[2]) or "") == ARGV[3] then
  redis.call("SET", KEYS[4], before .. "\n" .. ARGV[4], "EX", ARGV[5])
else
  redis.call("SET", KEYS[2], ARGV[2])
end
