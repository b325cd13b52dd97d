-- Decides equal concurrent requests, as if one came after the other: key, burst, parameters, quota, in this order. Everything is
-- checked before anything is counted, so a refused request counts nothing. As many requests as both windows have room for are
-- admitted, the first ones first; all others are refused for the same reason.
-- KEYS[1] copy of the account {version, plan, status, throttle: an operator's lower limits, '<burst> <quota> <end in ms>', each of which may
--   be missing, otherwise ''}
-- KEYS[2] copy of the key {version, key_id, expires_at in ms or '', revoked, signouts: of a session or an access token, the account's
--   last sign-out when it was read; otherwise ''; own: '1' for a session, whose requests come out of the account's own pool first}
-- KEYS[3] requests of the last 60 seconds, in one bucket per second. A bucket leaves the window 60 seconds after its last request,
--   so no span of 60 seconds has more than the limit. {<second>: requests, last:<second>: time of its last one in us,
--   last: time of the last one of all, falls: when the first bucket leaves, in us; total}
-- KEYS[4] requests of the month {ends: second in which the next month begins, used, own: those out of the own pool}
-- KEYS[5] the account's last sign-out everywhere, removal of a member or end of a grant {version}
-- ARGV[1] time in us; '' for the time of Redis. Only tests pass one
-- ARGV[2] number of requests
-- ARGV[3..] six per plan: id, burst limit, quota, requests of the quota that a request costs on this plan, size of the own pool, '1' if
--   these requests may come out of it
-- Returns {verdict}, {'no_plan', plan}, or {verdict of the last request, number admitted, plan, key id, expires_at, now in ms,
--   cost of each, burst: limit, used after all, when it falls in ms (if it is above the limit: below it); month: limit, used after
--   all, ends; own pool: size, used after all, how many of these requests, the first ones, came out of it; the throttle if it is in
--   force, otherwise ''}
local US = 1000000
local SPAN = 60 * US

local time
if ARGV[1] == "" then
  local clock = redis.call("TIME")
  time = tonumber(clock[1]) * 1000000 + tonumber(clock[2])
else
  time = tonumber(ARGV[1])
end
local now = math.floor(time / US)
local count = tonumber(ARGV[2])

local function days_in_february(year)
  local leap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
  return leap and 29 or 28
end

-- The second in which the calendar month (UTC) of a second ends.
local function end_of_month(second)
  local ends, year = 0, 1970
  local function end_of_year() return ends + (337 + days_in_february(year)) * 86400 end
  while end_of_year() <= second do
    ends, year = end_of_year(), year + 1
  end
  for _, days in ipairs({ 31, days_in_february(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }) do
    ends = ends + days * 86400
    if second < ends then return ends end
  end
end

-- Key.
local account = redis.call("HMGET", KEYS[1], "plan", "status", "throttle")
local key = redis.call("HMGET", KEYS[2], "key_id", "expires_at", "revoked", "signouts", "own")
if not account[1] or not key[1] then return { "unknown" } end
if key[4] and key[4] ~= "" then
  -- What was read before the last sign-out is read again.
  local signouts = redis.call("HGET", KEYS[5], "version")
  if not signouts or tonumber(key[4]) < tonumber(signouts) then return { "unknown" } end
end
if key[3] == "1" then return { "revoked" } end
if key[2] ~= "" and time >= tonumber(key[2]) * 1000 then return { "expired" } end
if account[2] ~= "active" then return { account[2] } end

local plan
for i = 3, #ARGV, 6 do
  if ARGV[i] == account[1] then plan = i end
end
if not plan then return { "no_plan", account[1] } end
local limit, quota, costs = tonumber(ARGV[plan + 1]), tonumber(ARGV[plan + 2]), tonumber(ARGV[plan + 3])
local pool, pooling = tonumber(ARGV[plan + 4]), key[5] == "1" and ARGV[plan + 5] == "1"

-- Lower limits, until they end.
local throttle = ""
if account[3] and account[3] ~= "" then
  local most, of_month, stops = string.match(account[3], "^(%d*) (%d*) (%d*)")
  if stops == "" or time < tonumber(stops) * 1000 then
    throttle = account[3]
    if most ~= "" then limit = math.min(limit, tonumber(most)) end
    if of_month ~= "" then quota = math.min(quota, tonumber(of_month)) end
  end
end

-- The buckets of the window: second, requests, and when it leaves, in us.
local function buckets()
  local counts, lasts, found = {}, {}, {}
  local all = redis.call("HGETALL", KEYS[3])
  for i = 1, #all, 2 do
    local second, of = tonumber(all[i]), string.match(all[i], "^last:(%d+)$")
    if second then counts[second] = tonumber(all[i + 1]) end
    if of then lasts[tonumber(of)] = tonumber(all[i + 1]) end
  end
  for second, count in pairs(counts) do
    found[#found + 1] = { second = second, count = count, leaves = (lasts[second] or (second + 1) * US) + SPAN }
  end
  return found
end

-- Burst: a sliding window of 60 s, in buckets. A clock that goes back does not empty the window.
local window = redis.call("HMGET", KEYS[3], "last", "falls", "total")
local last, falls, total = tonumber(window[1]), tonumber(window[2]), tonumber(window[3]) or 0
local arrival = math.max(time, last or 0)
local second = math.floor(arrival / US)
if not falls or time >= falls then
  -- About once per second: drop the buckets that have left, and add up the rest.
  local all, gone = buckets(), {}
  total, falls = 0, nil
  for _, bucket in ipairs(all) do
    if time >= bucket.leaves then
      gone[#gone + 1] = bucket.second
      gone[#gone + 1] = "last:" .. bucket.second
    elseif bucket.count > 0 then
      total = total + bucket.count
      falls = math.min(falls or bucket.leaves, bucket.leaves)
    end
  end
  if #gone > 0 then redis.call("HDEL", KEYS[3], unpack(gone)) end
  if #all > 0 then redis.call("HSET", KEYS[3], "falls", falls or arrival, "total", total) end
end

-- Quota. A clock that goes back does not start the month again.
local month = redis.call("HMGET", KEYS[4], "ends", "used", "own")
local ends, used, own = tonumber(month[1]), tonumber(month[2]), tonumber(month[3]) or 0
local fresh = not ends or now >= ends
if fresh then ends, used, own = end_of_month(now), 0, 0 end

local admitted = math.max(math.min(count, limit - total), 0)
local pooled = pooling and math.max(math.min(admitted, pool - own), 0) or 0
if costs > 0 then admitted = math.min(admitted, pooled + math.max(math.floor((quota - used) / costs), 0)) end

if admitted > 0 then
  -- Each request of this second delays the moment at which its bucket leaves. That is `falls` if the bucket is the first one.
  if total == 0 or math.floor((falls - SPAN) / US) == second then falls = arrival + SPAN end
  total = total + admitted
  redis.call("HINCRBY", KEYS[3], second, admitted)
  redis.call("HSET", KEYS[3], "last:" .. second, arrival, "last", arrival, "falls", falls, "total", total)
  if not last or math.floor(last / US) < second then redis.call("EXPIRE", KEYS[3], 62) end
  if costs > 0 then
    used, own = used + (admitted - pooled) * costs, own + pooled
    redis.call("HSET", KEYS[4], "ends", ends, "used", used, "own", own)
    if fresh then redis.call("EXPIRE", KEYS[4], ends - now + 86400) end
  end
end

local verdict = "admitted"
if admitted < count then
  verdict = total >= limit and "rate_limited" or "quota_exceeded"
end

if total == 0 then falls = time end
if total > limit then
  -- The limit was lowered meanwhile, so more than the first bucket has to leave before a request is admitted.
  local all, left = buckets(), total
  table.sort(all, function(a, b) return a.leaves < b.leaves end)
  for _, bucket in ipairs(all) do
    if left < limit then break end
    left, falls = left - bucket.count, bucket.leaves
  end
end
return {
  verdict, admitted, account[1], key[1], key[2], math.floor(time / 1000), costs,
  limit, total, math.floor(falls / 1000), quota, used, ends, pool, own, pooled, throttle,
}
