import { createServer } from 'node:http';

/* A collector of traces that accepts everything and keeps nothing. */

createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
}).listen(Number(process.env.PORT), '127.0.0.1');
