import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CompanyModule } from '../../access/company/company.module';
import { ApprovalModule } from '../../campaigns/approval/approval.module';
import { AgentService } from './agent.service';
import { McpGuard } from './mcp.guard';

/** What the tools of agents need besides the operations of the service. */
@Module({
  imports: [ApiKeyModule, ApprovalModule, CompanyModule],
  providers: [AgentService, McpGuard],
})
export class McpModule {}
