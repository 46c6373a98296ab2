insert into bluepencil.clock default values
