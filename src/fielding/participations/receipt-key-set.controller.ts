import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PublicRoute } from '../../platform/caller/public-route';
import { ReceiptKeysDto } from './receipt-keys.dto';
import { ReceiptsService } from './receipts.service';

/** The keys of receipts where libraries that verify signatures look for them. */
@ApiExcludeController()
@Controller('.well-known')
export class ReceiptKeySetController {
  constructor(private readonly receipts: ReceiptsService) {}

  /** Returns the JSON Web Key Set (RFC 7517) without the envelope of the other responses. */
  @Get('jwks.json')
  @PublicRoute()
  @Header('content-type', 'application/jwk-set+json')
  @Header('cache-control', 'public, max-age=300')
  getKeySet(): ReceiptKeysDto {
    return { keys: [this.receipts.publicKey] };
  }
}
