import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Record<string, unknown>;
  /** 2 is an error. */
  status: { code?: number };
}

interface ExportRequest {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<CollectedSpan, 'attributes'> & {
        attributes: { key: string; value: Record<string, unknown> }[];
      })[];
    }[];
  }[];
}

/** A collector of traces that speaks OTLP over HTTP, in JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** Everything it has received, as text. */
  text = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        collector.add(body as ExportRequest);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace that have this name. */
  inTrace(traceId: string, name: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId && span.name === name);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private add(body: ExportRequest): void {
    this.text += JSON.stringify(body);
    for (const { scopeSpans } of body.resourceSpans) {
      for (const { attributes, ...span } of scopeSpans.flatMap(({ spans }) => spans)) {
        const values = attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
        this.spans.push({ ...span, attributes: Object.fromEntries(values) });
      }
    }
  }
}
