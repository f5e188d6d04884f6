-- Sends the requests of a file, one a line: a path and a key, and for GraphQL a body; from another line on in each connection.
local requests = {}
local place = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, key, body = line:match("^([^\t]+)\t([^\t]+)\t?(.*)$")
    local headers = { ["x-api-key"] = key, ["content-type"] = body ~= "" and "application/json" or nil }
    requests[#requests + 1] = wrk.format(body ~= "" and "POST" or "GET", path, headers, body ~= "" and body or nil)
  end
  math.randomseed(os.time())
  place = math.random(#requests)
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"faults":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
