import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns/promises';
import { once } from 'node:events';

const TYPE_A = 1;
const TYPE_CNAME = 5;

/** The address of a name that is an alias of one without addresses. */
export const DANGLING = 'dangling';

/** That name. */
const NOWHERE = Buffer.from('\x07nowhere\x07example\x03com\0', 'latin1');
const HEADER = 12;

/** A name server that this process uses until it is closed. */
export interface NameServer {
  /** The names of the queries for IPv4 addresses, in order. */
  queries: string[];
  close(): Promise<void>;
}

/**
 * Starts a name server that knows IPv4 addresses only.
 *
 * @param addressOf returns the address of a name, or {@link DANGLING}, or `undefined` if the name
 *   does not exist
 */
export async function startNameServer(
  addressOf: (name: string, query: number) => string | undefined,
): Promise<NameServer> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    if (type === TYPE_A) {
      queries.push(name);
    }
    const known = addressOf(name, queries.filter((each) => each === name).length);
    const found = type === TYPE_A || known === DANGLING ? known : undefined;
    socket.send(answer(query.subarray(0, end + 4), type === TYPE_A, found), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const before = getServers();
  setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    queries,
    close: async () => {
      setServers(before);
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** Reads the name of a question, and where it ends. */
function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let position = HEADER;
  for (let length = message[position]!; length > 0; length = message[position]!) {
    labels.push(message.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: position + 1 };
}

function answer(query: Buffer, isKnownType: boolean, address: string | undefined): Buffer {
  const response = Buffer.from(query);
  const exists = address !== undefined || !isKnownType;
  // A response, recursion available; code 3 means that the name does not exist.
  response.writeUInt16BE(0x8180 | (exists ? 0 : 3), 2);
  response.writeUInt16BE(address === undefined ? 0 : 1, 6);
  // No authority and no additional records.
  response.writeUInt32BE(0, 8);
  if (address === undefined) {
    return response;
  }
  // The name of the question, the type, class IN, not to be cached, the length of what follows.
  const record = (type: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0xc0, HEADER, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
  return Buffer.concat([
    response,
    address === DANGLING
      ? record(TYPE_CNAME, NOWHERE)
      : record(TYPE_A, Buffer.from(address.split('.').map(Number))),
  ]);
}
