"""assistant.py - the client's side of assistant.sh: assistant.py tools|broken|away"""
import asyncio, json, os, random, resource, subprocess, sys
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import Implementation

NAMES = ["schedule", "list", "show", "edit", "delete", "snooze", "dismiss", "undo", "resolve"]


def alarms():
    return json.loads(subprocess.check_output(["eggctl", "list", "--json"]))["alarms"]


def document(result):
    """The reply of eggd, behind the lines for people."""
    return json.loads(result.content[-1].text)


async def session(act):
    server = StdioServerParameters(command="eggctl", args=["mcp"], env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, client_info=Implementation(name="kitchen-helper", version="1")) as client:
            await act(client, await client.initialize())


async def tools(client, hello):
    assert hello.serverInfo.name == "eggd" and "microseconds" in hello.instructions, hello
    offered = (await client.list_tools()).tools
    assert [tool.name for tool in offered] == NAMES, offered
    for tool in offered:
        assert tool.inputSchema["type"] == "object" and tool.inputSchema["additionalProperties"] is False
        assert not {"run", "sound", "icon"} & set(tool.inputSchema["properties"]), tool
    assert offered[0].description.startswith("The expression is read in zone")
    assert offered[0].inputSchema["required"] == ["expression"]
    assert offered[0].inputSchema["properties"]["category"]["enum"] == ["soft", "medium", "hard", "other"]
    print("ok   nine tools have the words and the form of the interface, without commands and files")

    made = await client.call_tool("schedule", {"expression": "6m30s", "label": "two soft ones", "eggs": 2})
    assert not made.isError and "two soft ones" in made.content[0].text, made
    number = document(made)["alarm"]["number"]
    assert [(a["number"], a["eggs"]) for a in alarms()] == [(number, 2)]
    print("ok   schedule stores the alarm, and answers with its line and with its fields")

    refused = await client.call_tool("schedule", {"expression": "monday in 2 weeks"})
    readings = document(refused)["parameters"]["readings"]
    assert refused.isError and len(readings) == 2 and len(alarms()) == 1, refused
    print("ok   two readings come back, and nothing is scheduled:", ", ".join(readings))
    moment = document(await client.call_tool("schedule", {"expression": readings[0], "label": "dentist"}))["alarm"]
    assert moment["readingZone"] == "Asia/Seoul", moment
    print("ok   one of them is taken, in the zone of the person")

    for wrong in [{"run": "touch x"}, {"sound": "/etc/passwd"}, {"icon": "/etc/passwd"}, {"expresion": "5m"}]:
        try:
            await client.call_tool("schedule", {"expression": "10m"} | wrong)
            raise SystemExit(f"FAIL {wrong} is taken")
        except McpError as error:
            assert list(wrong)[0] in str(error), error
    assert len(alarms()) == 2
    print("ok   commands, files and what is not declared are refused")

    edited = await client.call_tool("edit", {"numbers": [number], "label": "three", "eggs": 3})
    assert not edited.isError, edited
    shown = document(await client.call_tool("show", {"number": number}))["alarm"]
    assert (shown["label"], shown["eggs"]) == ("three", 3), shown
    listed = document(await client.call_tool("list", {"label": "thr"}))
    assert [a["number"] for a in listed["alarms"]] == [number] and listed["totals"]["eggs"] == 3, listed
    resolved = document(await client.call_tool("resolve", {"expression": "every monday 9:00"}))
    assert resolved["canonical"] == "Mon *-*-* 09:00:00", resolved
    print("ok   edit, show, list and resolve do what they say")

    gone = document(await client.call_tool("delete", {"numbers": [number]}))
    assert gone["deleted"] == [number] and len(alarms()) == 1, gone
    await client.call_tool("undo", {})
    assert len(alarms()) == 2
    missing = await client.call_tool("delete", {"numbers": [4711]})
    assert missing.isError and document(missing)["error"].endswith("NoSuchAlarm"), missing
    print("ok   delete deletes, undo brings back, and a wrong number is refused")

    ringing = document(await client.call_tool("schedule", {"expression": "1s", "label": "now"}))["alarm"]["number"]
    subprocess.check_call(["eggctl", "wait", str(ringing)])
    snoozed = document(await client.call_tool("snooze", {"numbers": [ringing], "span": 600_000_000}))
    assert snoozed["alarms"][0]["state"] == "snoozed", snoozed
    dismissed = document(await client.call_tool("dismiss", {"numbers": [ringing]}))
    assert dismissed["alarms"][0]["state"] == "rung", dismissed
    print("ok   what rings is snoozed and dismissed")
    await client.call_tool("schedule", {"expression": "20m", "label": "kettle"})


async def away(client, _):
    refused = await client.call_tool("list", {})
    assert refused.isError and document(refused)["hint"].startswith("systemctl --user"), refused


def broken():
    """Messages with changed, missing and doubled bytes: each answer is one of JSON-RPC, and the next call works."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "resolve", "arguments": {"expression": "5m"}}}
    seeds = [json.dumps(m).encode() for m in [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "\u202eod", "version": ""}}},
        call, {"jsonrpc": "2.0", "id": "a", "method": "tools/list"}, {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list", "arguments": {"range": {"first": 1}}}}]]
    random.seed(1)
    lines = [b"", b"[]", b"null", b"{}", b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b"[" * 5000, b'"' + b"x" * (1 << 21) + b'"',
             b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":[]}}', b"\xff\xfe{}"]
    for _ in range(2000):
        line = bytearray(random.choice(seeds))
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(line))
            match random.randrange(4):
                case 0: line[at] = random.randrange(256)
                case 1: del line[at:at + random.randint(1, 9)]
                case 2: line[at:at] = line[max(0, at - 20):at]
                case 3: line[at:at] = random.choice([b"null", b"[]", b"{}", b"-1", b"1e999", b'"', b"\\ud800", b"true"])
            if not line:
                line += b" "
        lines.append(bytes(line).replace(b"\n", b" "))
    done = subprocess.run(["eggctl", "mcp"], input=b"\n".join(lines + [seeds[0], json.dumps(call).encode(), b""]),
                          stdout=subprocess.PIPE, timeout=300)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done
    assert all(a["jsonrpc"] == "2.0" and "id" in a and ("result" in a) != ("error" in a) for a in answers)
    codes = {a["error"]["code"] for a in answers if "error" in a}
    assert codes <= {-32700, -32600, -32601, -32602} and len(codes) == 4, codes
    assert answers[-1]["id"] == 1 and not answers[-1]["result"]["isError"], answers[-1]
    print(f"ok   {len(lines)} broken messages: {len(answers)} answers, each of JSON-RPC")

    server = subprocess.Popen(["eggctl", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for _ in range(200):
        server.stdin.write(b"x" * (1 << 20))
    answers, _ = server.communicate(b"\n" + seeds[2] + b"\n")
    too_long, next_one = [json.loads(line) for line in answers.splitlines()]
    assert too_long["error"]["code"] == -32600 and next_one["result"]["tools"], answers
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak < 100_000, f"{peak} KiB"
    print("ok   a message of 200 MiB takes no memory, and is refused")


match sys.argv[1]:
    case "tools": asyncio.run(session(tools))
    case "away": asyncio.run(session(away))
    case "broken": broken()
