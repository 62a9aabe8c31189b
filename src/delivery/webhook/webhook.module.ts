import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { DeletionModule } from '../../platform/deletion/deletion.module';
import { Event } from '../../platform/event/event.entity';
import { EventModule } from '../../platform/event/event.module';
import { DeliveryController } from './delivery.controller';
import { DeliveryQueue } from './delivery-queue.service';
import { DeliveryService } from './delivery.service';
import { DispatcherService } from './dispatcher.service';
import { WebhookHousekeeping } from './housekeeping.service';
import { SenderService } from './sender.service';
import { WebhookController } from './webhook.controller';
import { WebhookEndpoint } from './webhook-endpoint.entity';
import { WebhookSecrets } from './webhook-secrets.service';
import { WebhookService } from './webhook.service';
import { WebhookSweep } from './webhook-sweep.service';
import { WebhookTests } from './webhook-tests.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookEndpoint, Event]),
    ApiKeyModule,
    DeletionModule,
    EventModule,
  ],
  controllers: [WebhookController, DeliveryController],
  providers: [
    WebhookService,
    WebhookTests,
    DeliveryService,
    DeliveryQueue,
    DispatcherService,
    SenderService,
    WebhookSecrets,
    WebhookHousekeeping,
    WebhookSweep,
  ],
})
export class WebhookModule {}
